"""Figures of regularization paths and of the choice of C on them."""
