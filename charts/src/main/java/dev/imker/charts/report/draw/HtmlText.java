package dev.imker.charts.report.draw;

/** Text that may stand inside HTML, SVG and attributes. */
public final class HtmlText {
  private HtmlText() {}

  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
