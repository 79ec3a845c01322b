// A small engine under test: a part of Worlds Awakening, in JavaScript.
//
//     pytest conformance --system worlds_awakening --engine "node examples/engine.mjs"
//
// It speaks the protocol of conformance/PROTOCOL.md: a call a line on stdin, an answer a line on stdout. It needs
// nothing but node. What it does not know it calls unsupported: a partial engine is a fine engine.
//
// Two things about it are on purpose:
//
// * It departs from the rules in one place: `wholeFives` rounds to the nearest five, where WA-6.9 drops what is left
//   over. A margin of 13 then counts as three fives. The suite names WA-6.9, WA-6.10 and the steps that lead there.
// * It takes a side where the text is open (READINGS below), as every program must. The suite finds out which.
//   One of them can be switched (Q35); a call that asks for another reading of the others is unsupported.

import { createInterface } from "node:readline";

const SYSTEM = "worlds_awakening";

const READINGS = {
  Q11: "adds", // hit points of a new level are added to the maximum
  Q35: "meets", // an attack that equals the defence hits
  Q36: "total-only", // a 20 is a number like any other …
  Q37: "total-only", // … and so is a 1
  Q41: "at-least-0", // damage never heals
  Q42: "after", // the least damage is applied to the whole
  Q44: "stop-at-zero",
  Q45: "at-zero",
  Q50: "nothing", // below the defence there is no progressive bonus
};
const SWITCHABLE = new Set(["Q35"]);

class Unsupported extends Error {}

const faces = (pool) =>
  pool
    .split("+")
    .map((term) => term.trim().match(/^(\d*)d(\d+)$/))
    .reduce((sum, [, count, sides]) => sum + Number(count || 1) * Number(sides), 0);

const wholeFives = (distance) => Math.round(distance / 5); // the departure: WA-6.9 says Math.floor
const leastDamage = (damage) => Math.max(0, damage);

// Every call that this engine knows, by its name in the rule book. The second argument holds the readings in force.
const CALLS = {
  first_level: () => 1,
  name_of_MAG: ({ designated }) => (designated === "none" ? "INT" : designated),
  level_1_HP: ({ hit_dice }) => faces(hit_dice),
  maximum_after_level_up: ({ HP_max, gain }) => HP_max + gain,
  doubled_sum: ({ MAG, level }) => 2 * (MAG + level),
  max_mp: ({ MAG, level }) => Math.max(0, 2 * (MAG + level)),
  mystic_mp: ({ INT, level }) => Math.max(0, 2 * (INT + level)),
  base_initiative: () => 10,
  initiative: ({ DEX }) => 10 + DEX,
  base_defence: () => 10,
  def_phy: ({ CON, level, outfit }) => 10 + CON + level + outfit,
  def_mag: ({ WIS, level, outfit }) => 10 + WIS + level + outfit,
  attack_test: ({ d20, level, charac, bonus }) => d20 + level + charac + bonus,
  sword_attack_test: ({ d20, level, STR }) => d20 + level + STR + 1,
  score_wins: ({ score, Def }, taken) => score > Def || (score === Def && taken.Q35 === "meets"),
  attack_succeeds: ({ score, Def }, taken) => CALLS.score_wins({ score, Def }, taken),
  damage_after_test: ({ success, damage }) => (success ? damage : 0),
  dice_and_number: ({ rolled, plus }) => rolled + plus,
  sword_damage: ({ d6 }) => d6 + 1,
  least_damage: ({ damage }) => leastDamage(damage),
  margin_over: ({ score, Def }) => score - Def,
  attack_margin: ({ d20, level, charac, bonus, Def }) => d20 + level + charac + bonus - Def,
  whole_fives: ({ distance }) => wholeFives(distance),
  progressive_bonus: ({ margin }) => (margin > 0 ? 2 * wholeFives(margin) : 0),
  final_damage: ({ damage, extra }) => leastDamage(damage + extra),
  hp_after: ({ HP, damage }) => Math.max(Math.min(HP, 0), HP - damage),
  falls: ({ HP, damage }) => damage >= HP,
};

function answer({ system, call, given, rolls, readings }) {
  if (system !== SYSTEM) throw new Unsupported(`only ${SYSTEM} is known here`);
  if (!Object.hasOwn(CALLS, call)) throw new Unsupported(`${call} is not written yet`);
  if (rolls !== null) throw new Unsupported("no procedure is written yet");
  for (const [question, reading] of Object.entries(readings)) {
    const own = READINGS[question];
    if (own !== undefined && own !== reading && !SWITCHABLE.has(question)) {
      throw new Unsupported(`${question} is read as ${own} here`);
    }
  }
  const value = CALLS[call](given, { ...READINGS, ...readings });
  if (value === undefined || Number.isNaN(value)) throw new Error(`${call} lacks an input`);
  return value;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...call } = JSON.parse(line);
  let reply;
  try {
    reply = { id, value: answer(call) };
  } catch (error) {
    reply = error instanceof Unsupported ? { id, unsupported: error.message } : { id, error: String(error) };
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
}
