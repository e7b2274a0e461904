package dev.imker.sim.config;

import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads the reference format: {@code <client cnt power fail fail2 zerofp incfp/>} and {@code <step
 * cnt jobtype jobduration steps/>}. Failure probabilities are in percent per minute, before and
 * after minute 1000; a task takes ⌊power/4000⌋ times its duration. Beyond the reference, both may
 * have amounts, {@code <client cores memory disk gpus resources/>} and the same of a step, and
 * {@code <pool resources/>} declares what exists once for all machines.
 */
final class XmlConfig {
  private static final int SWITCH_MINUTE = 1000;
  private static final int LOST_MINUTES = 20;
  private static final double REFERENCE_POWER = 4000;
  private static final Set<String> CLIENT_ATTRIBUTES =
      Set.of("cnt", "power", "fail", "fail2", "zerofp", "incfp");
  private static final Set<String> STEP_ATTRIBUTES =
      Set.of("cnt", "jobtype", "jobduration", "steps");
  private static final Set<String> CONTAINERS = Set.of("simConfig", "clients", "simulation");

  private final String file;
  private final XMLStreamReader xml;
  private final List<Machines> machines = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final Map<Integer, Requirements> needsByLine = new LinkedHashMap<>();
  private final Map<String, Double> resources = new HashMap<>();
  private final AmountFields amounts =
      new AmountFields(this::amount, (attribute, what) -> wrong(attribute + ": " + what));
  private int minutes;

  private XmlConfig(String file, XMLStreamReader xml) {
    this.file = file;
    this.xml = xml;
  }

  static SimConfig read(Path path, String name) {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setXMLReporter((message, type, information, where) -> {});
    try (InputStream in = Files.newInputStream(path)) {
      return new XmlConfig(path.toString(), factory.createXMLStreamReader(in)).read(name);
    } catch (XMLStreamException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
      throw new SimException(path + ", line " + line + ": not well-formed XML", e);
    } catch (IOException e) {
      throw new SimException(path + " cannot be read: " + e.getMessage(), e);
    }
  }

  private SimConfig read(String name) throws XMLStreamException {
    while (xml.hasNext()) {
      if (xml.next() == XMLStreamConstants.START_ELEMENT) {
        element(xml.getLocalName());
      }
    }
    if (machines.isEmpty()) {
      throw new SimException(file + " has no <client>");
    }
    if (arrivals.isEmpty()) {
      throw new SimException(file + " has no <step>");
    }
    SimConfig config =
        new SimConfig(
            name,
            machines,
            arrivals,
            minutes,
            0,
            LOST_MINUTES,
            false,
            false,
            10,
            SimConfig.MINUTE_MILLIS,
            resources);
    needsByLine.forEach(
        (line, needs) -> {
          String unmet = config.unmet(needs);
          if (unmet != null) {
            throw new SimException(file + ", line " + line + ", <step>: " + unmet);
          }
        });
    return config;
  }

  private void element(String name) {
    switch (name) {
      case "client" -> client();
      case "step" -> step();
      case "pool" -> {
        checkAttributes(Set.of("resources"), Set.of());
        resources.putAll(amounts.sums());
      }
      default -> {
        if (!CONTAINERS.contains(name)) {
          throw wrong("<" + name + "> is not allowed here; expected <client>, <step> or <pool>");
        }
      }
    }
  }

  private void client() {
    checkAttributes(CLIENT_ATTRIBUTES, AmountFields.NAMES);
    double power = number("power", REFERENCE_POWER, 1e9, Double.NaN);
    int safe = whole("zerofp", 0, Integer.MAX_VALUE, 0);
    int rise = whole("incfp", 0, Integer.MAX_VALUE, 0);
    double before = number("fail", 0, 100, Double.NaN) / 100;
    double after = number("fail2", 0, 100, 100 * before) / 100;
    String name = "client" + (machines.size() + 1);
    machines.add(
        new Machines(
            name,
            whole("cnt", 1, 1_000_000, -1),
            Math.floor(power / REFERENCE_POWER),
            new Failures.Ramp(before, after, SWITCH_MINUTE, safe, rise),
            null,
            0,
            amounts.platform(name, power),
            0));
  }

  private void step() {
    checkAttributes(STEP_ATTRIBUTES, AmountFields.NAMES);
    String type = xml.getAttributeValue(null, "jobtype");
    if (type == null || type.isBlank()) {
      throw wrong("jobtype is missing");
    }
    Requirements needs = amounts.needs();
    needsByLine.put(xml.getLocation().getLineNumber(), needs);
    arrivals.add(
        new Arrival(
            minutes,
            new ProjectId("sim", type),
            whole("cnt", 1, 10_000_000, -1),
            new RunTimes.Fixed(number("jobduration", 0.001, 1e7, Double.NaN)),
            needs));
    minutes += whole("steps", 0, 10_000_000, -1);
  }

  /** The value of an attribute; resources are parsed. */
  private @Nullable Object amount(String attribute) {
    String text = xml.getAttributeValue(null, attribute);
    if (text == null || !attribute.equals("resources")) {
      return text;
    }
    Map<String, String> all = new LinkedHashMap<>();
    for (String one : words(text)) {
      int equals = one.indexOf('=');
      if (equals < 1) {
        throw wrong("resources: expected names with amounts, as in fpga=2, got '" + one + "'");
      }
      all.put(one.substring(0, equals), one.substring(equals + 1));
    }
    return all;
  }

  /** Splits at spaces, except inside brackets. */
  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    int begin = 0;
    boolean listed = false;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ' ' : text.charAt(i);
      listed = i < text.length() && (c == '[' || (listed && c != ']'));
      if (!listed && Character.isWhitespace(c)) {
        if (i > begin) {
          words.add(text.substring(begin, i));
        }
        begin = i + 1;
      }
    }
    return words;
  }

  private void checkAttributes(Set<String> usual, Set<String> further) {
    Set<String> known = new TreeSet<>(usual);
    known.addAll(further);
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      String attribute = xml.getAttributeLocalName(i);
      if (!known.contains(attribute)) {
        throw wrong("attribute " + attribute + " is unknown; use " + known);
      }
    }
  }

  /** A missing attribute has its default; NaN: it is required. */
  private double number(String attribute, double min, double max, double missing) {
    String text = xml.getAttributeValue(null, attribute);
    if (text == null) {
      if (Double.isNaN(missing)) {
        throw wrong(attribute + " is missing");
      }
      return missing;
    }
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    if (!(value >= min && value <= max)) {
      throw wrong(
          attribute + "=\"" + text + "\" is not a number from " + plain(min) + " to " + plain(max));
    }
    return value;
  }

  private int whole(String attribute, int min, int max, int missing) {
    double value = number(attribute, min, max, missing < 0 ? Double.NaN : missing);
    if (value != Math.rint(value)) {
      throw wrong(attribute + " must be a whole number, not " + value);
    }
    return (int) value;
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private SimException wrong(String what) {
    return new SimException(
        file
            + ", line "
            + xml.getLocation().getLineNumber()
            + ", <"
            + xml.getLocalName()
            + ">: "
            + what);
  }
}
