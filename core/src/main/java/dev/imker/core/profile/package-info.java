/** What is recorded of nodes and projects, as the strategies see it. */
@NullMarked
package dev.imker.core.profile;

import org.jspecify.annotations.NullMarked;
