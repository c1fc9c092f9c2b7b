"""Citations of the papers, each written once."""

LAPORTE_2014 = (
    "Laporte, Flamary, Canu, Déjean & Mothe (2014), Nonconvex regularizations for feature selection in ranking with "
    "sparse SVM, IEEE TNNLS 25(6)"
)
LAPORTE_2014_CORIA = (
    "Laporte, Déjean & Mothe (2014), Séparateurs à vaste marge pondérés en norme l2 pour la sélection de variables en "
    "apprentissage d'ordonnancement, CORIA"
)
WESTON_2003 = (
    "Weston, Elisseeff, Schölkopf & Tipping (2003), Use of the zero-norm with linear models and kernel methods, JMLR 3"
)
KUJALA_2009 = "Kujala, Aho & Elomaa (2009), A walk from 2-norm SVM to 1-norm SVM, ICDM"
FAN_2008 = "Fan, Chang, Hsieh, Wang & Lin (2008), LIBLINEAR: a library for large linear classification, JMLR 9"
CHAPELLE_KEERTHI_2010 = (
    "Chapelle & Keerthi (2010), Efficient algorithms for ranking with SVMs, Information Retrieval 13(3)"
)
FAN_LI_2001 = "Fan & Li (2001), Variable selection via nonconcave penalized likelihood, JASA 96(456)"
RAKOTOMAMONJY_2012 = "Rakotomamonjy (2012), Sparse support vector infinite push, ICML"
GUYON_2002 = (
    "Guyon, Weston, Barnhill & Vapnik (2002), Gene selection for cancer classification using support vector machines, "
    "Machine Learning 46"
)
GENG_2007 = "Geng, Liu, Qin & Li (2007), Feature selection for ranking, SIGIR"
LAI_2013_FSMRANK = (
    "Lai, Pan, Tang & Yu (2013), FSMRank: feature selection algorithm for learning to rank, IEEE TNNLS 24(6)"
)
LAI_2013_FENCHELRANK = (
    "Lai, Pan, Liu, Lin & Wu (2013), Sparse learning-to-rank via an efficient primal-dual algorithm, IEEE Transactions "
    "on Computers 62(6)"
)
LANGFORD_2009 = "Langford, Li & Zhang (2009), Sparse online learning via truncated gradient, JMLR 10"
SUN_2009 = "Sun, Qin, Tao & Wang (2009), Robust sparse rank learning for non-smooth ranking measures, SIGIR"

LOSS_LATEX = r"\frac1P\sum_{(i,j)} \max\left(0,\, 1-(x_i-x_j)^\top w\right)^2"
