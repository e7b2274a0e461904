package dev.imker.server.internal.rest.request;

import dev.imker.model.JobId;
import dev.imker.server.http.ApiException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Numbers of many jobs, as a short text: {@code 3-17,20}. */
public final class JobSpans {
  private static final Pattern SPAN = Pattern.compile("(\\d{1,18})(?:-(\\d{1,18}))?");

  /** First and last numbers of spans, which do not touch each other. */
  private final TreeMap<Long, Long> spans = new TreeMap<>();

  /**
   * @param field for the message
   */
  public static JobSpans parse(String field, String text) {
    JobSpans numbers = new JobSpans();
    for (String part : text.split(",", -1)) {
      Matcher span = SPAN.matcher(part);
      long first = span.matches() ? Long.parseLong(span.group(1)) : 0;
      long last = first > 0 && span.group(2) != null ? Long.parseLong(span.group(2)) : first;
      if (first < 1 || last < first) {
        throw ApiException.invalid(
            field, field + ": '" + part + "' is not a job number; write them as 3-17,20.");
      }
      numbers.add(first, last);
    }
    return numbers;
  }

  public void add(JobId job) {
    add(job.value(), job.value());
  }

  private void add(long from, long to) {
    long first = from;
    long last = to;
    Map.Entry<Long, Long> before = spans.floorEntry(first);
    if (before != null && before.getValue() >= first - 1) {
      first = before.getKey();
      last = Math.max(last, before.getValue());
    }
    for (Map.Entry<Long, Long> next = spans.ceilingEntry(first);
        next != null && next.getKey() - 1 <= last;
        next = spans.ceilingEntry(first)) {
      last = Math.max(last, next.getValue());
      spans.remove(next.getKey());
    }
    spans.put(first, last);
  }

  public boolean has(JobId job) {
    Map.Entry<Long, Long> span = spans.floorEntry(job.value());
    return span != null && span.getValue() >= job.value();
  }

  @Override
  public String toString() {
    return spans.entrySet().stream()
        .map(
            span ->
                span.getKey().equals(span.getValue())
                    ? span.getKey().toString()
                    : span.getKey() + "-" + span.getValue())
        .collect(Collectors.joining(","));
  }
}
