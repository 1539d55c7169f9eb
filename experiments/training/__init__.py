"""What the trainers share: the config, opponents, evaluation, records and curves.

`experiments/clone.py` imitates the rule AI, `experiments/ppo.py` goes on from the clone, and
`experiments/train_rllib.py` trains the same network with RLlib. `hakoenv train` runs them.
"""
