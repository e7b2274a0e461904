; Freight is loaded into planes, flown and unloaded.
(define (domain cargo)
  (:requirements :strips :typing :equality :negative-preconditions)
  (:types plane freight airport - object)
  (:predicates
    (at ?what - (either plane freight) ?where - airport)
    (in ?freight - freight ?plane - plane))
  (:action load
    :parameters (?f - freight ?p - plane ?a - airport)
    :precondition (and (at ?f ?a) (at ?p ?a))
    :effect (and (in ?f ?p) (not (at ?f ?a))))
  (:action unload
    :parameters (?f - freight ?p - plane ?a - airport)
    :precondition (and (in ?f ?p) (at ?p ?a))
    :effect (and (at ?f ?a) (not (in ?f ?p))))
  (:action fly
    :parameters (?p - plane ?from ?to - airport)
    :precondition (and (at ?p ?from) (not (= ?from ?to)))
    :effect (and (at ?p ?to) (not (at ?p ?from)))))
