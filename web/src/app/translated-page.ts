/**
 * Lets React go on in a page that the browser translates. A translator puts an element of its own (`<font>`) in the place of
 * each text node, while React keeps the node to change or remove it later: a changed text would then not be shown, and removing
 * or inserting beside it would throw and take the page down.
 *
 * It is done here, for the whole document, since React changes text everywhere: counters, labels, lists, errors. Elements
 * around each text that may change, or keys by its value, would have to be thought of in every component, and in those of
 * libraries too.
 */
export function keepTranslatedText(): void {
  const proto = Node.prototype;
  const { appendChild, insertBefore, removeChild } = proto;
  const value = Object.getOwnPropertyDescriptor(proto, 'nodeValue');
  const setValue = value?.set;
  if (!setValue) return;

  /** What replaced a removed text node. */
  const replacements = new WeakMap<Node, ChildNode>();

  /** Whether one change put something where the other took a text out, in whichever order. */
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

  /** A text that is put somewhere else leaves nothing where it was. */
  const dropReplacement = (node: Node, parent: Node) => {
    if (!(node instanceof Text) || node.isConnected) return;
    remember(observer.takeRecords());
    const replacement = replacements.get(node);
    // The translator puts the text itself into its element.
    if (replacement && !replacement.contains(parent)) replacement.remove();
  };

  proto.removeChild = function <T extends Node>(this: Node, child: T): T {
    const inPlace = inPlaceOf(child, this);
    if (inPlace) removeChild.call(this, inPlace);
    // Whoever moved it elsewhere, it has to go.
    else if (child.parentNode) removeChild.call(child.parentNode, child);
    return child;
  };

  proto.insertBefore = function <T extends Node>(this: Node, node: T, child: Node | null): T {
    dropReplacement(node, this);
    insertBefore.call(this, node, (child && inPlaceOf(child, this)) ?? null);
    return node;
  };

  proto.appendChild = function <T extends Node>(this: Node, node: T): T {
    dropReplacement(node, this);
    appendChild.call(this, node);
    return node;
  };

  Object.defineProperty(proto, 'nodeValue', {
    ...value,
    set(this: Node, text: string | null) {
      setValue.call(this, text);
      if (!(this instanceof Text) || this.isConnected) return;
      remember(observer.takeRecords());
      // The translator sees the text come back, and translates it anew.
      const replacement = replacements.get(this);
      if (replacement?.isConnected) replacement.replaceWith(this);
    },
  });
}
