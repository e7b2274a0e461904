// What the planner shows at first: something that works.
export const EXAMPLES = {
  actions: {
    actions: `# what a machine needs, and what comes of it
fetch: Address -> RawData
clean: RawData -> Table
train: Table, Settings -> Model
test: Model, Table -> Score
report: Score, Model -> Report
`,
    has: "Address, Settings",
    wants: "Report",
  },
  pddl: {
    domain: `(define (domain cargo)
  (:requirements :strips :typing)
  (:types place thing - object freight plane - thing)
  (:predicates (at ?t - thing ?p - place) (in ?f - freight ?a - plane))
  (:action load :parameters (?f - freight ?a - plane ?p - place)
    :precondition (and (at ?f ?p) (at ?a ?p))
    :effect (and (in ?f ?a) (not (at ?f ?p))))
  (:action unload :parameters (?f - freight ?a - plane ?p - place)
    :precondition (and (in ?f ?a) (at ?a ?p))
    :effect (and (at ?f ?p) (not (in ?f ?a))))
  (:action fly :parameters (?a - plane ?from ?to - place)
    :precondition (at ?a ?from)
    :effect (and (at ?a ?to) (not (at ?a ?from)))))
`,
    problem: `(define (problem two-freights)
  (:domain cargo)
  (:objects london paris - place f1 f2 - freight heron - plane)
  (:init (at f1 london) (at f2 london) (at heron london))
  (:goal (and (at f1 paris) (at f2 paris))))
`,
  },
};
