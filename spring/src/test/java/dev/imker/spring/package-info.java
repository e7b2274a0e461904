@NullMarked
package dev.imker.spring;

import org.jspecify.annotations.NullMarked;
