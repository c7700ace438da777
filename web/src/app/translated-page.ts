/**
 * Makes React work in a page that the browser translates. A translator replaces each text node by an element (`<font>`),
 * while React still refers to the node: it would change a text that is not shown, and removing it or inserting beside it would
 * throw.
 *
 * This is done once for the whole document, since React changes text everywhere. The alternative, an element around each
 * changing text, would be needed in every component, including those of libraries.
 */
export function supportPageTranslation(): void {
  const proto = Node.prototype;
  const { appendChild, insertBefore, removeChild } = proto;
  const value = Object.getOwnPropertyDescriptor(proto, 'nodeValue');
  const setValue = value?.set;
  if (!setValue) return;

  /** The replacement of a removed text node. */
  const replacements = new WeakMap<Node, ChildNode>();

  /** Whether one change added a node where the other removed a text, in either order. */
  const isSamePlace = (adding: MutationRecord, removal: MutationRecord, text: Node) =>
    adding.target === removal.target &&
    (adding === removal ||
      adding.nextSibling === text ||
      adding.previousSibling === text ||
      (adding.nextSibling === removal.nextSibling && adding.previousSibling === removal.previousSibling));

  const remember = (records: MutationRecord[]) => {
    for (const removal of records) {
      for (const text of removal.removedNodes) {
        if (!(text instanceof Text) || text.parentNode === removal.target) continue;
        const added = records
          .filter((adding) => isSamePlace(adding, removal, text))
          .flatMap(({ addedNodes }) => [...addedNodes]);
        const replacement = added.find((node) => node instanceof HTMLElement && node.localName === 'font');
        if (replacement instanceof HTMLElement) replacements.set(text, replacement);
      }
    }
  };

  const observer = new MutationObserver(remember);
  observer.observe(document, { childList: true, subtree: true });

  /** A node, or its replacement in this parent. */
  const inPlaceOf = <T extends Node>(node: T, parent: Node): T | ChildNode | undefined => {
    if (node.parentNode === parent) return node;
    remember(observer.takeRecords());
    const replacement = replacements.get(node);
    return replacement?.parentNode === parent ? replacement : undefined;
  };

  /** Removes the replacement of a text that is inserted elsewhere. */
  const removeReplacement = (node: Node, parent: Node) => {
    if (!(node instanceof Text) || node.isConnected) return;
    remember(observer.takeRecords());
    const replacement = replacements.get(node);
    // The translator inserts the text itself into its element.
    if (replacement && !replacement.contains(parent)) replacement.remove();
  };

  proto.removeChild = function <T extends Node>(this: Node, child: T): T {
    const inPlace = inPlaceOf(child, this);
    if (inPlace) removeChild.call(this, inPlace);
    // Something else moved it; it has to be removed.
    else if (child.parentNode) removeChild.call(child.parentNode, child);
    return child;
  };

  proto.insertBefore = function <T extends Node>(this: Node, node: T, child: Node | null): T {
    removeReplacement(node, this);
    insertBefore.call(this, node, (child && inPlaceOf(child, this)) ?? null);
    return node;
  };

  proto.appendChild = function <T extends Node>(this: Node, node: T): T {
    removeReplacement(node, this);
    appendChild.call(this, node);
    return node;
  };

  Object.defineProperty(proto, 'nodeValue', {
    ...value,
    set(this: Node, text: string | null) {
      setValue.call(this, text);
      if (!(this instanceof Text) || this.isConnected) return;
      remember(observer.takeRecords());
      // The translator notices the new text, and translates it again.
      const replacement = replacements.get(this);
      if (replacement?.isConnected) replacement.replaceWith(this);
    },
  });
}
