package dev.imker.store;

import dev.imker.model.JobId;
import org.jspecify.annotations.Nullable;

/**
 * The order of a list of jobs; each corresponds to an index, with the number of the job as the last
 * column.
 *
 * @param descending whether the greatest comes first
 */
public record JobOrder(Key key, boolean descending) {
  public static final JobOrder NEWEST = new JobOrder(Key.ID, true);

  /** What jobs can be sorted by. Open jobs settle before all others. */
  public enum Key {
    ID("j.id"),
    NAME("j.name"),
    SETTLED("j.settled_at");

    private final String column;

    Key(String column) {
      this.column = column;
    }
  }

  /** The last job of a page, after which the next page begins. */
  public record Place(Object value, JobId id) {}

  /** The position of a job in this order. */
  public Place placeOf(JobRecord job) {
    return new Place(
        switch (key) {
          case ID -> job.id().value();
          case NAME -> job.name();
          case SETTLED -> job.settledMillis();
        },
        job.id());
  }

  public String orderBy() {
    String way = descending ? " DESC" : "";
    return key == Key.ID
        ? " ORDER BY j.id" + way
        : " ORDER BY " + key.column + way + ", j.id" + way;
  }

  /**
   * A condition on the columns of the order: {@code :place} and {@code :id} are those of a place.
   */
  public String after() {
    String sign = descending ? " < " : " > ";
    return key == Key.ID
        ? "j.id" + sign + ":id"
        : "(" + key.column + ", j.id)" + sign + "(:place, :id)";
  }

  /** Parses a position; null if it is malformed. */
  public @Nullable Place parse(String text) {
    int comma = text.indexOf(',');
    try {
      JobId id = new JobId(Long.parseLong(comma < 0 ? text : text.substring(0, comma)));
      String value = comma < 0 ? "" : text.substring(comma + 1);
      return switch (key) {
        case ID -> new Place(id.value(), id);
        case NAME -> new Place(value, id);
        case SETTLED -> new Place(Long.parseLong(value), id);
      };
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The written form of a position. */
  public String text(Place place) {
    return key == Key.ID ? place.id.toString() : place.id + "," + place.value;
  }
}
