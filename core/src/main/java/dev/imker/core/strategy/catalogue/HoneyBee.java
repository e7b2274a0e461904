package dev.imker.core.strategy.catalogue;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProfileListener;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.Strategy;
import java.util.Arrays;
import java.util.Locale;

/**
 * Foraging as honey bees do it (Nakrani and Tovey 2004): an attempt that ends reports its profit,
 * useful minutes per minute spent. A node whose last attempt paid stays with its project; others
 * follow a project in proportion to its recent profit; a few explore.
 */
final class HoneyBee implements Strategy, ProfileListener {
  private static final double MEMORY = 0.95;
  private static final double MIN_PROFIT = 0.01;

  private final double explore;
  private double[] usefulMinutes = new double[0];
  private double[] spentMinutes = new double[0];
  private int[] loyalTo = new int[0];

  HoneyBee(double explore) {
    this.explore = explore;
  }

  @Override
  public String name() {
    return "honey-bee";
  }

  @Override
  public void attach(PoolProfile pool) {
    pool.addListener(this);
  }

  @Override
  public void detach(PoolProfile pool) {
    pool.removeListener(this);
  }

  @Override
  public void onSucceeded(
      long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {
    dance(node, project, minutes, minutes);
  }

  @Override
  public void onFailed(long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {
    dance(node, project, 0, minutes);
  }

  private void dance(NodeProfile node, ProjectProfile project, double useful, double spent) {
    reserve(node.index(), project.index());
    int k = project.index();
    usefulMinutes[k] = MEMORY * usefulMinutes[k] + useful;
    spentMinutes[k] = MEMORY * spentMinutes[k] + spent;
    loyalTo[node.index()] = useful > 0 ? k : NONE;
  }

  @Override
  public int choose(Choice choice) {
    reserve(choice.node().index(), choice.candidate(choice.candidates() - 1).index());
    if (choice.random().nextDouble() < explore) {
      return choice.random().nextInt(choice.candidates());
    }
    int loyal = loyal(choice);
    return loyal == NONE ? follow(choice) : loyal;
  }

  private int loyal(Choice choice) {
    int project = loyalTo[choice.node().index()];
    for (int i = 0; i < choice.candidates(); i++) {
      if (choice.candidate(i).index() == project) {
        return i;
      }
    }
    return NONE;
  }

  private int follow(Choice choice) {
    double sum = 0;
    for (int i = 0; i < choice.candidates(); i++) {
      sum += profit(choice, i);
    }
    double rest = choice.random().nextDouble() * sum;
    for (int i = 0; i < choice.candidates() - 1; i++) {
      rest -= profit(choice, i);
      if (rest < 0) {
        return i;
      }
    }
    return choice.candidates() - 1;
  }

  private double profit(Choice choice, int position) {
    int k = choice.candidate(position).index();
    return Math.max(MIN_PROFIT, usefulMinutes[k] / spentMinutes[k]);
  }

  private void reserve(int node, int project) {
    if (loyalTo.length <= node) {
      int from = loyalTo.length;
      loyalTo = Arrays.copyOf(loyalTo, Math.max(node + 1, 2 * from));
      Arrays.fill(loyalTo, from, loyalTo.length, NONE);
    }
    if (spentMinutes.length <= project) {
      int from = spentMinutes.length;
      usefulMinutes = Arrays.copyOf(usefulMinutes, project + 8);
      spentMinutes = Arrays.copyOf(spentMinutes, project + 8);
      Arrays.fill(usefulMinutes, from, usefulMinutes.length, 1);
      Arrays.fill(spentMinutes, from, spentMinutes.length, 1);
    }
  }

  @Override
  public String explain(Choice choice) {
    reserve(choice.node().index(), choice.candidate(choice.candidates() - 1).index());
    int loyal = loyal(choice);
    if (loyal != NONE) {
      return "honey-bee: the last attempt at "
          + choice.candidate(loyal).project()
          + " paid off, so the node stays with it";
    }
    StringBuilder text = new StringBuilder("honey-bee: follows the most profitable projects");
    for (int i = 0; i < choice.candidates(); i++) {
      text.append(i == 0 ? ": " : ", ").append(choice.candidate(i).project());
      text.append(String.format(Locale.ROOT, " %.2f", profit(choice, i)));
    }
    return text.toString();
  }
}
