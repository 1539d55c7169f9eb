"""An HTTP client that sends a request once and reads no more of its response than was agreed."""

from __future__ import annotations

from typing import Any

import openai

LARGEST = 8 * 2**20
"""Bytes of a response; six for each character of the longest answer that is read, and some."""
_OF_THE_WIRE = ("content-encoding", "content-length", "transfer-encoding")


class TooLargeError(openai.OpenAIError):
    """A response is longer than `LARGEST`."""


class Bounded(openai.DefaultAsyncHttpxClient):
    """Follows no redirect, and gives up a response that is too large.

    Args:
        client: what it sends with.
    """

    def __init__(self, client: Any) -> None:
        super().__init__(transport=client._transport)  # never used: all is sent by the client
        self._of = client

    def build_request(self, *given: Any, **named: Any) -> Any:
        """A request as the client makes it, for a response as it is, without compression."""
        request = self._of.build_request(*given, **named)
        request.headers["accept-encoding"] = "identity"
        return request

    async def send(self, request: Any, **named: Any) -> Any:
        """Send a request and read its response.

        Raises:
            TooLargeError: the response is too large.
        """
        response = await self._of.send(request, **{**named, "stream": True, "follow_redirects": False})
        read = bytearray()
        try:
            async for part in response.aiter_bytes():
                read += part
                if len(read) > LARGEST:
                    raise TooLargeError(f"the response has more than {LARGEST} bytes")
        finally:
            await response.aclose()
        headers = [entry for entry in response.headers.multi_items() if entry[0] not in _OF_THE_WIRE]
        return type(response)(response.status_code, headers=headers, content=bytes(read), request=request)
