"""What papers print beside what gradewise computes, one file a paper."""
