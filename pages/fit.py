"""Fit one model and watch it converge."""

from pages.shared import fit_page, frame

if frame.entered():
    fit_page.render()
