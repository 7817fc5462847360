/** Returns objects that have these members, but not of their own: a copy of them is empty. @param {object} members */
export function inheriting(members) {
  class Instance {}
  Object.assign(Instance.prototype, members);
  const withoutPrototype = Object.assign(Object.create(null), members);
  return [
    new Map(Object.entries(members)),
    new Instance(),
    Object.create(members),
    Object.create(withoutPrototype),
  ];
}
