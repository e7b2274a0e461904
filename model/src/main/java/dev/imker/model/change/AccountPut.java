package dev.imker.model.change;

import dev.imker.model.account.Account;

/** An account was created or changed. */
public record AccountPut(Account account) implements RecordChange {}
