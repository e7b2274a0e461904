package dev.imker.charts.report;

/** Text that may stand inside HTML, SVG and attributes. */
final class HtmlText {
  private HtmlText() {}

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
