"""Citations, each written once."""

LAPORTE_2014 = (
    "Laporte, Flamary, Canu, Déjean & Mothe (2014), Nonconvex regularizations for feature selection in ranking with "
    "sparse SVM, IEEE TNNLS 25(6)"
)
CHAPELLE_KEERTHI_2010 = (
    "Chapelle & Keerthi (2010), Efficient algorithms for ranking with SVMs, Information Retrieval 13(3)"
)
FAN_LI_2001 = "Fan & Li (2001), Variable selection via nonconcave penalized likelihood, JASA 96(456)"
RAKOTOMAMONJY_2012 = "Rakotomamonjy (2012), Sparse support vector infinite push, ICML"
GUYON_2002 = (
    "Guyon, Weston, Barnhill & Vapnik (2002), Gene selection for cancer classification using support vector machines, "
    "Machine Learning 46"
)

LOSS_LATEX = r"\frac1P\sum_{(i,j)} \max\left(0,\, 1-(x_i-x_j)^\top w\right)^2"
