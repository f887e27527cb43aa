"""The publications that measures cite, each once."""

ROBERTSON_2010 = (
    "S. E. Robertson, E. Kanoulas, E. Yilmaz: Extending average precision to graded relevance "
    "judgments. SIGIR 2010."
)
FERRANTE_2014 = (
    "M. Ferrante, N. Ferro, M. Maistro: Rethinking how to extend average precision to graded "
    "relevance. CLEF 2014."
)
KISHIDA_2005 = (
    "K. Kishida: Property of average precision and its generalization. "
    "NII Technical Report NII-2005-014E, 2005."
)
MOFFAT_MED = "A. Moffat: Computing maximized effectiveness distance for recall-based metrics. 2018."
BUCKLEY_2000 = "C. Buckley, E. M. Voorhees: Evaluating evaluation measure stability. SIGIR 2000."
BUCKLEY_2004 = (
    "C. Buckley, E. M. Voorhees: Retrieval evaluation with incomplete information. SIGIR 2004."
)
SAKAI_2004 = "T. Sakai: New performance metrics based on multigrade relevance. NTCIR-4, 2004."
KANDO_2001 = (
    "N. Kando, K. Kuriyama, M. Yoshioka: Information retrieval system evaluation using multi-grade "
    "relevance judgments. IPSJ SIG Notes, 2001."
)
JARVELIN_2002 = (
    "K. Järvelin, J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. "
    "ACM TOIS 20(4), 2002."
)
BURGES_2005 = "C. Burges et al.: Learning to rank using gradient descent. ICML 2005."
KEKALAINEN_2002 = (
    "J. Kekäläinen, K. Järvelin: Using graded relevance assessments in IR evaluation. "
    "JASIST 53(13), 2002."
)
MOFFAT_2008 = (
    "A. Moffat, J. Zobel: Rank-biased precision for measurement of retrieval effectiveness. "
    "ACM TOIS 27(1), 2008."
)
POLLACK_1968 = (
    "S. M. Pollack: Measures for the comparison of information retrieval systems. "
    "American Documentation 19(4), 1968."
)
SAGARA_2002 = (
    "Y. Sagara: Performance measures for ranked output retrieval systems. "
    "Journal of Japan Society of Information and Knowledge 12(2), 2002."
)
CHAPELLE_2009 = (
    "O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan: Expected reciprocal rank for graded "
    "relevance. CIKM 2009."
)
YILMAZ_2006 = (
    "E. Yilmaz, J. A. Aslam: Estimating average precision with incomplete and imperfect "
    "judgments. CIKM 2006."
)
SALTON_1968 = (
    "G. Salton, M. E. Lesk: Computer evaluation of indexing and text processing. JACM 15(1), 1968."
)
BORLUND_1998 = (
    "P. Borlund, P. Ingwersen: Measures of relative relevance and ranked half-life. SIGIR 1998."
)
MIZZARO_2004 = (
    "V. Della Mea, S. Mizzaro: Measuring retrieval effectiveness: a new proposal and a first "
    "experimental validation. JASIST 55(6), 2004."
)
ROBERTSON_2006 = "S. Robertson: On GMAP: and other transformations. CIKM 2006."
MACAVANEY_2022 = (
    "S. MacAvaney, C. Macdonald, I. Ounis: Streamlining evaluation with ir-measures. ECIR 2022."
)
TREC_EVAL = "trec_eval 10.0, National Institute of Standards and Technology."
VAN_RIJSBERGEN_1979 = "C. J. van Rijsbergen: Information Retrieval, 2nd edition. 1979."
