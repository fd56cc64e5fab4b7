// A written report taken apart.
#ifndef REGAL_TESTS_REPORT_PAGE_H
#define REGAL_TESTS_REPORT_PAGE_H

#include <string>

// The text of the page's <script type="application/json" id="ID">; "" where there is none.
inline std::string embedded_json(const std::string &page, const std::string &id) {
    const std::string open = "<script type=\"application/json\" id=\"" + id + "\">";
    const size_t from = page.find(open);
    const size_t to = from == std::string::npos ? from : page.find("</script>", from);
    if (to == std::string::npos)
        return "";
    return page.substr(from + open.size(), to - from - open.size());
}

#endif
