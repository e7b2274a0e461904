package dev.imker.model.change;

import dev.imker.model.account.ApiToken;

/** An account has a token more. */
public record TokenPut(ApiToken token) implements RecordChange {}
