/**
 * An ESLint rule: a value is not looked up in an object by a text that may be any text, because `constructor` and
 * `__proto__` are found in every object literal. Use `own` (`src/lib/getOwn.ts`), a `Map`, or ask
 * `Object.hasOwn(object, key)` in the same condition.
 */
import ts from 'typescript';

const isAnyText = (type) =>
  type.isUnion() ? type.types.some(isAnyText) : (type.flags & ANY_TEXT) !== 0;
const ANY_TEXT = ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral;

export default {
  meta: {
    type: 'problem',
    fixable: 'code',
    schema: [],
    messages: {
      inherited:
        'A text that may be any text also finds what every object inherits. Use own(), a Map, or ask Object.hasOwn first.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const services = sourceCode.parserServices;
    /** `Object.hasOwn(object, key)` with the very object and key, in a condition around it. */
    const isGuarded = (node) => {
      const guard = `Object.hasOwn(${sourceCode.getText(node.object)}, ${sourceCode.getText(node.property)})`;
      for (let at = node; at.parent; at = at.parent) {
        const { parent } = at;
        const test =
          parent.type === 'LogicalExpression' && at === parent.right
            ? parent.left
            : parent.type === 'ConditionalExpression' || parent.type === 'IfStatement'
              ? at !== parent.test && parent.test
              : null;
        if (test && sourceCode.getText(test).includes(guard)) return true;
      }
      return false;
    };
    return {
      MemberExpression(node) {
        if (!node.computed) return;
        const isWritten = node.parent.type === 'AssignmentExpression' && node.parent.left === node;
        if (isWritten) return;
        if (!isAnyText(services.getTypeAtLocation(node.property))) return;
        if (isGuarded(node)) return;
        const [object, key] = [node.object, node.property].map((one) => sourceCode.getText(one));
        const fix = (fixer) =>
          node.optional ? null : fixer.replaceText(node, `own(${object}, ${key})`);
        context.report({ node, messageId: 'inherited', fix });
      },
    };
  },
};
