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
SAKAI_2007 = (
    "T. Sakai: On the properties of evaluation metrics for finding one highly relevant document. "
    "IPSJ TOD 48(SIG9), 2007."
)
SAKAI_2008 = (
    "T. Sakai, S. Robertson: Modelling a user population for designing information retrieval "
    "metrics. EVIA 2008."
)
SAKAI_2011 = (
    "T. Sakai, R. Song: Evaluating diversified search results using per-intent graded relevance. "
    "SIGIR 2011."
)
SAKAI_2021 = (
    "T. Sakai, Z. Zeng: Retrieval evaluation measures that agree with users' SERP preferences. "
    "ACM TOIS 39(2), 2021."
)
NTCIREVAL = "T. Sakai: NTCIREVAL, a toolkit for information access evaluation. FIT 2011."
SAKAI_2004 = "T. Sakai: New performance metrics based on multigrade relevance. NTCIR-4, 2004."
KANDO_2001 = (
    "N. Kando, K. Kuriyama, M. Yoshioka: Information retrieval system evaluation using multi-grade "
    "relevance judgments. IPSJ SIG Notes, 2001."
)
JARVELIN_2002 = (
    "K. Järvelin, J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. "
    "ACM TOIS 20(4), 2002."
)
JARVELIN_2008 = (
    "K. Järvelin, S. L. Price, L. M. L. Delcambre, M. L. Nielsen: Discounted cumulated gain based "
    "evaluation of multiple-query IR sessions. ECIR 2008."
)
TANG_2017 = (
    "Z. Tang, G. H. Yang: Investigating per topic upper bound for session search evaluation. "
    "ICTIR 2017."
)
TREC_DD = "TREC Dynamic Domain Track: trec-dd-jig, scorer/sDCG.py, 2017."
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
CARTERETTE_2008 = (
    "B. Carterette, P. N. Bennett: Evaluation measures for preference judgments. SIGIR 2008."
)
CARTERETTE_2008B = (
    "B. Carterette, P. N. Bennett, O. Chapelle: A test collection of preference judgments. SIGIR "
    "2008 workshop Beyond Binary Relevance."
)
PREF_EVAL = "J. Elsas: pairwise_pref_eval, an evaluation tool for pairwise preference judgments."
CLARKE_2021 = (
    "C. L. A. Clarke, A. Vtyurina, M. D. Smucker: Assessing top-k preferences. "
    "ACM TOIS 39(3), 2021."
)
CHAPELLE_2009 = (
    "O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan: Expected reciprocal rank for graded "
    "relevance. CIKM 2009."
)
YILMAZ_2006 = (
    "E. Yilmaz, J. A. Aslam: Estimating average precision with incomplete and imperfect "
    "judgments. CIKM 2006."
)
YILMAZ_2008 = (
    "E. Yilmaz, E. Kanoulas, J. A. Aslam: A simple and efficient sampling method for estimating AP "
    "and NDCG. SIGIR 2008."
)
SAMPLE_EVAL = "sample_eval.pl of 10 October 2011, National Institute of Standards and Technology."
ASLAM_2006 = (
    "J. A. Aslam, V. Pavlu, E. Yilmaz: A statistical method for system evaluation using incomplete "
    "judgments. SIGIR 2006."
)
PAVLU_2007 = (
    "V. Pavlu, J. A. Aslam: A practical sampling strategy for efficient retrieval evaluation. "
    "Technical report, Northeastern University, 2007."
)
STATAP_EVAL = "statAP_MQ_eval_v3.pl, V. Pavlu, for TREC's Million Query and Web tracks of 2009."
SALTON_1968 = (
    "G. Salton, M. E. Lesk: Computer evaluation of indexing and text processing. JACM 15(1), 1968."
)
COOPER_1968 = (
    "W. S. Cooper: Expected search length: a single measure of retrieval effectiveness based on "
    "the weak ordering action of retrieval systems. American Documentation 19(1), 1968."
)
SWETS_1969 = (
    "J. A. Swets: Effectiveness of information retrieval methods. American Documentation 20(1), "
    "1969."
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
ZHAI_2003 = (
    "C. Zhai, W. W. Cohen, J. Lafferty: Beyond independent relevance: methods and evaluation "
    "metrics for subtopic retrieval. SIGIR 2003."
)
CLARKE_2008 = (
    "C. L. A. Clarke et al.: Novelty and diversity in information retrieval evaluation. SIGIR 2008."
)
CLARKE_2009 = (
    "C. L. A. Clarke, M. Kolla, O. Vechtomova: An effectiveness measure for ambiguous and "
    "underspecified queries. ICTIR 2009."
)
AGRAWAL_2009 = (
    "R. Agrawal, S. Gollapudi, A. Halverson, S. Ieong: Diversifying search results. WSDM 2009."
)
CHAPELLE_2011 = (
    "O. Chapelle et al.: Intent-based diversification of web search results: metrics and "
    "algorithms. Information Retrieval 14(6), 2011."
)
SAKAI_2011 = (
    "T. Sakai, R. Song: Evaluating diversified search results using per-intent graded relevance. "
    "SIGIR 2011."
)
NDEVAL = "ndeval 4.5, C. L. A. Clarke, TREC Web Track."
TREC_EVAL = "trec_eval 10.0, National Institute of Standards and Technology."
VAN_RIJSBERGEN_1979 = "C. J. van Rijsbergen: Information Retrieval, 2nd edition. 1979."
MOFFAT_2012 = (
    "A. Moffat, F. Scholer, P. Thomas: Models and metrics: IR evaluation as a user process. "
    "ADCS 2012."
)
MOFFAT_2013 = (
    "A. Moffat, P. Thomas, F. Scholer: Users versus models: what observation tells us about "
    "effectiveness metrics. CIKM 2013."
)
MOFFAT_2015 = (
    "A. Moffat, P. Bailey, F. Scholer, P. Thomas: INST: an adaptive metric for information "
    "retrieval evaluation. ADCS 2015."
)
AZZOPARDI_2019 = (
    "L. Azzopardi, P. Thomas, A. Moffat: cwl_eval: an evaluation tool for information retrieval. "
    "SIGIR 2019."
)
AZZOPARDI_2021 = (
    "L. Azzopardi, J. Mackenzie, A. Moffat: ERR is not C/W/L: exploring the relationship between "
    "expected reciprocal rank and other metrics. ICTIR 2021."
)
ZHANG_2017 = (
    "F. Zhang, Y. Liu, X. Li, M. Zhang, Y. Xu, S. Ma: Evaluating web search with a bejeweled "
    "player model. SIGIR 2017."
)
SMUCKER_2012 = (
    "M. D. Smucker, C. L. A. Clarke: Time-based calibration of effectiveness measures. SIGIR 2012."
)
SAKAI_2013 = (
    "T. Sakai, Z. Dou: Summaries, ranked retrieval and sessions: a unified framework for "
    "information access evaluation. SIGIR 2013."
)
JAIN_2016 = (
    "H. Jain, Y. Prabhu, M. Varma: Extreme multi-label loss functions for recommendation, tagging, "
    "ranking & other missing label applications. KDD 2016."
)
FAWCETT_2006 = (
    "T. Fawcett: An introduction to ROC analysis. Pattern Recognition Letters 27(8), 2006."
)
