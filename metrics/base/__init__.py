"""What all metrics are made of: inputs, statistics, scoring, resampling."""
