package dev.imker.model.change;

import dev.imker.model.account.ApiToken;

/** A token was added to an account. */
public record TokenPut(ApiToken token) implements RecordChange {}
