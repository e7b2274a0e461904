package dev.imker.model.http;

import java.net.http.HttpHeaders;

/** An answer that was read to its end. */
public record Answer(int status, HttpHeaders headers, byte[] body) {
  public boolean isGood() {
    return status / 100 == 2;
  }
}
