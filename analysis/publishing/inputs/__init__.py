"""The inputs of published results as files of a bundle, and back."""
