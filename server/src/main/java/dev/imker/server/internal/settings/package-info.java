/** What an admin sets while the server runs. */
@NullMarked
package dev.imker.server.internal.settings;

import org.jspecify.annotations.NullMarked;
