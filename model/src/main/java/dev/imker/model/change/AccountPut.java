package dev.imker.model.change;

import dev.imker.model.account.Account;

/** An account came, or is now like this. */
public record AccountPut(Account account) implements RecordChange {}
