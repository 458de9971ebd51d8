"""Evaluation of rating methods: predict each game before it is learned, and measure how good the predictions were."""
