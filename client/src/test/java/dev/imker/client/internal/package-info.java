@NullMarked
package dev.imker.client.internal;

import org.jspecify.annotations.NullMarked;
