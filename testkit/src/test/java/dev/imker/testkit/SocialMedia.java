package dev.imker.testkit;

import dev.imker.tasks.Action;
import dev.imker.tasks.Effects;
import dev.imker.tasks.Preconditions;
import dev.imker.tasks.Task;
import java.util.ArrayList;
import java.util.List;

/** The example of social media: eleven tasks lead from a user to suggestions for him. */
final class SocialMedia {
  record UserId(String name) {}

  record Facebook(List<String> names) {}

  record Google(List<String> names) {}

  record YoutubeChannels(List<String> names) {}

  record SoundcloudChannels(List<String> names) {}

  record FriendList(List<String> names) {}

  record Watched(List<String> names) {}

  record VideosRated(List<String> names) {}

  record Heard(List<String> names) {}

  record TracksRated(List<String> names) {}

  record Media(List<String> names) {}

  record Suggestions(List<String> names) {}

  static final List<Class<? extends Task>> ACTIONS =
      List.of(
          FacebookFriends.class,
          GoogleCircles.class,
          YoutubeSubscriptions.class,
          SoundcloudSubscriptions.class,
          MergeFriends.class,
          YoutubeWatched.class,
          YoutubeRated.class,
          SoundcloudHeard.class,
          SoundcloudRated.class,
          FilterMedia.class,
          Suggest.class);

  private SocialMedia() {}

  private static List<String> together(List<List<String>> lists) {
    List<String> all = new ArrayList<>();
    lists.forEach(all::addAll);
    return all;
  }

  @Action
  @Preconditions({UserId.class})
  @Effects({Facebook.class})
  static final class FacebookFriends extends Task {
    @Override
    protected void task() {
      put(new Facebook(List.of("Facebook of " + get(UserId.class).name())));
    }
  }

  @Action
  @Preconditions({UserId.class})
  @Effects({Google.class})
  static final class GoogleCircles extends Task {
    @Override
    protected void task() {
      put(new Google(List.of("Google of " + get(UserId.class).name())));
    }
  }

  @Action
  @Preconditions({UserId.class})
  @Effects({YoutubeChannels.class})
  static final class YoutubeSubscriptions extends Task {
    @Override
    protected void task() {
      put(new YoutubeChannels(List.of("YoutubeChannels of " + get(UserId.class).name())));
    }
  }

  @Action
  @Preconditions({UserId.class})
  @Effects({SoundcloudChannels.class})
  static final class SoundcloudSubscriptions extends Task {
    @Override
    protected void task() {
      put(new SoundcloudChannels(List.of("SoundcloudChannels of " + get(UserId.class).name())));
    }
  }

  @Action
  @Preconditions({Facebook.class, Google.class, YoutubeChannels.class, SoundcloudChannels.class})
  @Effects({FriendList.class})
  static final class MergeFriends extends Task {
    @Override
    protected void task() {
      put(
          new FriendList(
              together(
                  List.of(
                      get(Facebook.class).names(),
                      get(Google.class).names(),
                      get(YoutubeChannels.class).names(),
                      get(SoundcloudChannels.class).names()))));
    }
  }

  @Action
  @Preconditions({FriendList.class})
  @Effects({Watched.class})
  static final class YoutubeWatched extends Task {
    @Override
    protected void task() {
      put(new Watched(get(FriendList.class).names().stream().map("Watched "::concat).toList()));
    }
  }

  @Action
  @Preconditions({FriendList.class})
  @Effects({VideosRated.class})
  static final class YoutubeRated extends Task {
    @Override
    protected void task() {
      put(
          new VideosRated(
              get(FriendList.class).names().stream().map("VideosRated "::concat).toList()));
    }
  }

  @Action
  @Preconditions({FriendList.class})
  @Effects({Heard.class})
  static final class SoundcloudHeard extends Task {
    @Override
    protected void task() {
      put(new Heard(get(FriendList.class).names().stream().map("Heard "::concat).toList()));
    }
  }

  @Action
  @Preconditions({FriendList.class})
  @Effects({TracksRated.class})
  static final class SoundcloudRated extends Task {
    @Override
    protected void task() {
      put(
          new TracksRated(
              get(FriendList.class).names().stream().map("TracksRated "::concat).toList()));
    }
  }

  @Action
  @Preconditions({Watched.class, VideosRated.class, Heard.class, TracksRated.class})
  @Effects({Media.class})
  static final class FilterMedia extends Task {
    @Override
    protected void task() {
      put(
          new Media(
              together(
                  List.of(
                      get(Watched.class).names(),
                      get(VideosRated.class).names(),
                      get(Heard.class).names(),
                      get(TracksRated.class).names()))));
    }
  }

  @Action
  @Preconditions({Media.class})
  @Effects({Suggestions.class})
  static final class Suggest extends Task {
    @Override
    protected void task() {
      put(new Suggestions(get(Media.class).names().stream().map("Suggestions "::concat).toList()));
    }
  }
}
