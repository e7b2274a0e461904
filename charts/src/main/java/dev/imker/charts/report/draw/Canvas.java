package dev.imker.charts.report.draw;

/** What a picture is drawn on; colours are RGB, places are pixels from the upper left. */
public interface Canvas {
  void rectangle(double x, double y, double width, double height, int colour);

  void line(double[] x, double[] y, int colour, double width);

  /** A closed, filled outline. */
  void area(double[] x, double[] y, int colour);

  /** Text that begins (0), is centred (1) or ends (2) at a place. */
  void text(double x, double y, String text, int size, int anchor, int colour);

  byte[] bytes();
}
