"""Frank-Wolfe methods on the l1 ball: FenchelRank and faster variants."""
