@NullMarked
package dev.imker.core.profile;

import org.jspecify.annotations.NullMarked;
