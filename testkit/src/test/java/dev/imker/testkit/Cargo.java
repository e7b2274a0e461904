package dev.imker.testkit;

import dev.imker.tasks.Action;
import dev.imker.tasks.Task;
import dev.imker.tasks.relational.Effects;
import dev.imker.tasks.relational.NegativeEffects;
import dev.imker.tasks.relational.Params;
import dev.imker.tasks.relational.Preconditions;

/** The example of cargo: planes carry freight from one airport to another. */
final class Cargo {
  /** What became of a freight, in words. */
  record Journey(String text) {}

  private Cargo() {}

  @Action
  @Params({"Freight(f)", "Plane(p)", "Airport(a)"})
  @Preconditions({"At(f,a)", "Stands(p,a)"})
  @Effects({"In(f,p)"})
  @NegativeEffects({"At(f,a)"})
  static final class Load extends Task {
    @Override
    protected void task() {
      put("f", new Journey(get(Journey.class, "f").text() + " loaded in " + argument("a")));
    }
  }

  @Action
  @Params({"Freight(f)", "Plane(p)", "Airport(a)"})
  @Preconditions({"In(f,p)", "Stands(p,a)"})
  @Effects({"At(f,a)"})
  @NegativeEffects({"In(f,p)"})
  static final class Unload extends Task {
    @Override
    protected void task() {
      put("f", new Journey(get(Journey.class, "f").text() + " unloaded in " + argument("a")));
    }
  }

  @Action
  @Params({"Plane(p)", "Airport(from)", "Airport(to)"})
  @Preconditions({"Differs(from,to)", "Stands(p,from)"})
  @Effects({"Stands(p,to)"})
  @NegativeEffects({"Stands(p,from)"})
  static final class Fly extends Task {
    @Override
    protected void task() {
      context().log(argument("p") + " flies to " + argument("to"));
    }
  }
}
