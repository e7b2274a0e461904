package dev.imker.planner.actions;

import dev.imker.tasks.Action;
import dev.imker.tasks.Effects;
import dev.imker.tasks.NegativeEffects;
import dev.imker.tasks.Preconditions;

/** Annotated classes for the scanner; never loaded by it. */
final class SampleTasks {
  record UserId(String id) {}

  record FriendList(String names) {}

  record Token(String text) {}

  @Action
  @Preconditions({UserId.class, Token.class})
  @Effects({FriendList.class})
  @NegativeEffects({Token.class})
  static final class FetchFriends extends AssertionError {
    private static final long serialVersionUID = 1L;
  }

  @Action
  @dev.imker.tasks.relational.Params({"File(d)", "Folder(from)", "Folder(to)"})
  @dev.imker.tasks.relational.Preconditions({"Differs(to,from)", "In(d,from)"})
  @dev.imker.tasks.relational.Effects({"In(d,to)"})
  @dev.imker.tasks.relational.NegativeEffects({"In(d,from)"})
  static final class Move {}

  @Action
  @dev.imker.tasks.relational.Effects({"In(nobody"})
  static final class Misspelt {}

  @Effects({FriendList.class})
  static final class NoAction {}

  private SampleTasks() {}
}
