// What the pages' scripts may use. The documents name the same browsers, which have the language of 2019.

import compat from "eslint-plugin-compat";
import language from "eslint-plugin-es-x";

const OLDEST = ["Chrome 76", "Safari 12.1", "iOS 12.2-12.5"];

// Methods and classes that the plugins do not know, or that they take for our own properties.
const OTHERS = [
  "CallExpression[callee.property.name=/^(at|with|replaceChildren|checkVisibility)$/]",
  "CallExpression[callee.object.name='AbortSignal']",
  "NewExpression[callee.name=/^(Oscillator|Gain)Node$/]",
];

export default [
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2019, sourceType: "module" },
    settings: {
      browsers: OLDEST,
      "es-x": { aggressive: true },
      polyfills: ["AudioContext", "navigator.wakeLock", "navigator.vibrate"], // webkitAudioContext takes its place; the others are used where they are
    },
  },
  compat.configs["flat/recommended"],
  language.configs["flat/restrict-to-es2019"],
  {
    files: ["**/faults.js"],
    languageOptions: { ecmaVersion: 5, sourceType: "script" },
  },
  {
    rules: {
      "es-x/no-array-prototype-at": "off", // OTHERS has their calls
      "es-x/no-array-prototype-with": "off",
      "es-x/no-string-prototype-at": "off",
      "no-restricted-syntax": ["error", ...OTHERS],
    },
  },
];
