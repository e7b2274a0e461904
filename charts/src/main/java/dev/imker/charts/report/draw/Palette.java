package dev.imker.charts.report.draw;

/** The colours of the pictures. */
public final class Palette {
  public static final int PAPER = 0xffffff;
  public static final int INK = 0x222222;
  public static final int FAINT = 0xdddddd;
  public static final int PRICE = 0x4a5568;
  public static final int ACCOUNT = 0x1f6feb;
  public static final int COMPARED = 0x9aa5b1;
  public static final int LOSS = 0xe5a3a3;
  public static final int BUY = 0x1a8f4c;
  public static final int SELL = 0xc0392b;
  private static final int[] SCALE = {0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725};

  private Palette() {}

  /** From dark (0) to bright (1). */
  public static int heat(double share) {
    double place = Math.clamp(share, 0.0, 1.0) * (SCALE.length - 1);
    int low = Math.min((int) place, SCALE.length - 2);
    double part = place - low;
    int colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int a = SCALE[low] >> shift & 0xff;
      int b = SCALE[low + 1] >> shift & 0xff;
      colour |= (int) Math.round(a + (b - a) * part) << shift;
    }
    return colour;
  }
}
