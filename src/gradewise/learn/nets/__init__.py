"""Nets trained by gradient descent: SoftRank, LambdaRank, RankNet and ListNet."""
