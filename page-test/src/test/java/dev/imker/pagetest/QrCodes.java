package dev.imker.pagetest;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.DecodeHintType;
import com.google.zxing.NotFoundException;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;
import javax.imageio.ImageIO;

/** Reads QR codes: of a picture of a page as a camera app does, drawn ones module by module. */
final class QrCodes {
  private QrCodes() {}

  /** What the code somewhere in a picture says. */
  static String read(byte[] png) throws IOException {
    return read(png, DecodeHintType.TRY_HARDER);
  }

  /** What a picture of nothing but a code says. Cameras have trouble with some of the largest. */
  static String readDrawn(byte[] png) throws IOException {
    return read(png, DecodeHintType.PURE_BARCODE);
  }

  private static String read(byte[] png, DecodeHintType how) throws IOException {
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    int width = image.getWidth();
    int height = image.getHeight();
    RGBLuminanceSource source =
        new RGBLuminanceSource(width, height, image.getRGB(0, 0, width, height, null, 0, width));
    try {
      return new QRCodeReader()
          .decode(new BinaryBitmap(new HybridBinarizer(source)), Map.of(how, true))
          .getText();
    } catch (NotFoundException
        | com.google.zxing.ChecksumException
        | com.google.zxing.FormatException e) {
      throw new AssertionError("no QR code in a picture of " + width + " x " + height, e);
    }
  }
}
