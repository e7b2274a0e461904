package dev.imker.model.change;

import dev.imker.model.NodeId;

/**
 * What is known of a node's behaviour, in place of what was kept before.
 *
 * @param profileJson with a version; the store does not look into it
 */
public record NodeProfiled(NodeId node, String profileJson) implements Change {}
