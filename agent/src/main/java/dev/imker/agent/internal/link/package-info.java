/** The agent as a whole and its link to the server: join, renew, receive leases. */
@NullMarked
package dev.imker.agent.internal.link;

import org.jspecify.annotations.NullMarked;
