package dev.imker.model.change;

import dev.imker.model.NodeId;

/**
 * The profile of a node's behaviour; replaces the earlier one.
 *
 * @param profileJson with a version; opaque to the store
 */
public record NodeProfiled(NodeId node, String profileJson) implements Change {}
