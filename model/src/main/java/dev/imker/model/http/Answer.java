package dev.imker.model.http;

import java.net.http.HttpHeaders;

/** A complete response. */
public record Answer(int status, HttpHeaders headers, byte[] body) {
  public boolean isGood() {
    return status / 100 == 2;
  }
}
