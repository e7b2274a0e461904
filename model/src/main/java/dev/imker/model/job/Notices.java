package dev.imker.model.job;

import java.util.List;

/** Who is notified when a job has settled: mail addresses and web hooks. */
public record Notices(List<String> mail, List<String> webHooks) {
  public static final Notices NOBODY = new Notices(List.of(), List.of());

  public Notices {
    mail = List.copyOf(mail);
    webHooks = List.copyOf(webHooks);
  }
}
