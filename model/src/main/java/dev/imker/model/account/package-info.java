/** People and programs that use a pool: accounts, what they may use, and what is noted of them. */
@NullMarked
package dev.imker.model.account;

import org.jspecify.annotations.NullMarked;
