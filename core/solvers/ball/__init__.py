"""Frank-Wolfe on the l1 ball, FenchelRank's way."""
