package dev.imker.agent.internal.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.agent.internal.confine.Confinement;
import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.policy.Policy;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.TaskRules;
import dev.imker.model.job.TaskTemplate;
import dev.imker.testbase.Attack;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Lease;
import java.util.BitSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EnclosureTest {
  private static void check(boolean ofAdmin, boolean network, boolean ownNetworks) {
    Enclosure enclosure =
        new Enclosure(Policy.GENEROUS, new Networks(ownNetworks), Map.of(), BitSet::new);
    HeldLease held =
        new HeldLease(
            Assignment.newBuilder()
                .setLease(Lease.newBuilder().setJob(1).setToken(7))
                .setOfAdmin(ofAdmin)
                .build());
    enclosure.checkTrust(held, template(network));
  }

  private static TaskTemplate template(boolean network) {
    TaskTemplate usual = RunWatchTest.template();
    return new TaskTemplate(
        usual.job(),
        usual.stage(),
        usual.user(),
        usual.project(),
        usual.jobName(),
        JobKind.COMMAND,
        usual.command(),
        usual.payload(),
        usual.paramNames(),
        usual.env(),
        usual.inputs(),
        usual.outputs(),
        TaskRules.USUAL.with(draft -> draft.network = network));
  }

  @Test
  @Attack(
      "reach the machine's loopback with network: true where tasks have no network of their own")
  void only_tasks_of_admins_get_the_network_of_the_machine() {
    assertThatThrownBy(() -> check(false, true, false))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("only tasks of admins get the machine's");
    assertThatCode(() -> check(true, true, false)).doesNotThrowAnyException();
    assertThatCode(() -> check(false, false, false)).doesNotThrowAnyException();
    assertThatCode(() -> check(false, true, true)).doesNotThrowAnyException();
  }

  /** A machine on which tasks can be closed off, and may have networks of their own or not. */
  private record Networks(boolean hasOutgoing) implements Confinement {
    @Override
    public ProcessSpec confine(ProcessSpec spec, Room room) {
      return spec;
    }

    @Override
    public boolean closesNetwork() {
      return true;
    }

    @Override
    public String inWords() {
      return "of a test";
    }
  }
}
