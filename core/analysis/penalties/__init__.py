"""Penalties looked at by themselves, and where they lead from several starts."""
