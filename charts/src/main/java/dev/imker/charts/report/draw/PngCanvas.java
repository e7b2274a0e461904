package dev.imker.charts.report.draw;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/** Draws a PNG picture; needs no display. */
public final class PngCanvas implements Canvas {
  private final BufferedImage image;
  private final Graphics2D graphics;
  private boolean fonts = true;

  public PngCanvas(int width, int height) {
    System.setProperty("java.awt.headless", "true");
    image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    rectangle(0, 0, width, height, Palette.PAPER);
  }

  @Override
  public void rectangle(double x, double y, double width, double height, int colour) {
    graphics.setColor(new Color(colour));
    graphics.fill(new Rectangle2D.Double(x, y, width, height));
  }

  @Override
  public void line(double[] x, double[] y, int colour, double width) {
    graphics.setColor(new Color(colour));
    graphics.setStroke(new BasicStroke((float) width));
    graphics.draw(path(x, y));
  }

  @Override
  public void area(double[] x, double[] y, int colour) {
    Path2D path = path(x, y);
    path.closePath();
    graphics.setColor(new Color(colour));
    graphics.fill(path);
  }

  private static Path2D path(double[] x, double[] y) {
    Path2D path = new Path2D.Double();
    for (int i = 0; i < x.length; i++) {
      if (i == 0) {
        path.moveTo(x[i], y[i]);
      } else {
        path.lineTo(x[i], y[i]);
      }
    }
    return path;
  }

  /** A machine without any font still gets its picture, only without words. */
  @Override
  public void text(double x, double y, String text, int size, int anchor, int colour) {
    if (!fonts) {
      return;
    }
    try {
      graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, size));
      double width = graphics.getFontMetrics().stringWidth(text);
      graphics.setColor(new Color(colour));
      graphics.drawString(text, (float) (x - width * anchor / 2), (float) y);
    } catch (RuntimeException | LinkageError e) {
      fonts = false;
    }
  }

  @Override
  public byte[] bytes() {
    graphics.dispose();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
