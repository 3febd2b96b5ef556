"""Mining: puzzles found in deals that players of different strength play against each other."""

from trainer.mining.balance import balanced
from trainer.mining.bar import mining_bar
from trainer.mining.finding import mine_deal
from trainer.mining.run import Mining, MiningError, dask_cluster, mine

__all__ = [
    "Mining",
    "MiningError",
    "balanced",
    "dask_cluster",
    "mine",
    "mine_deal",
    "mining_bar",
]
