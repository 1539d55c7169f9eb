"""Buying and selling: households, private sectors, deals, auctions and the clearing house."""
