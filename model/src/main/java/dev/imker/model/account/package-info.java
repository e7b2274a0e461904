/** People and programs that use a pool: accounts, quotas, and records about them. */
@NullMarked
package dev.imker.model.account;

import org.jspecify.annotations.NullMarked;
